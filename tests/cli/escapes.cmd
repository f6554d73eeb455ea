# What a terminal would obey is not printed.
prvcut "$(printf -- '--\033[31mred')"; echo $?
prvcut help "$(printf 'a\nb')"; echo $?
